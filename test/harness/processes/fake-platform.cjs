// `node --require fake-platform.cjs`: the process believes that it runs on the platform of FAKE_PLATFORM, such as `linux-x64-musl`.
const [platform, arch, libc] = process.env.FAKE_PLATFORM.split('-');
Object.defineProperty(process, 'platform', { value: platform });
Object.defineProperty(process, 'arch', { value: arch });
if (libc === 'musl') process.report.getReport = () => ({ header: {} });
const node = process.env.FAKE_NODE;
if (node) Object.defineProperty(process, 'versions', { value: { ...process.versions, node } });
