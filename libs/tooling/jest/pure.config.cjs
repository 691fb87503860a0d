// Tests of the packages that are pure functions, or use nothing but the platform: no store, no log, no product.
const shared = require('./shared.cjs');
const PACKAGES = ['domain', 'event-rows', 'otlp', 'runtime', 'templates'];
module.exports = { ...shared, roots: PACKAGES.map((name) => `<rootDir>/libs/${name}`) };
