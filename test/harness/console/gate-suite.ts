import { takeFaults } from './gates.js';

// Runs in every test file of the console: no page of it may break a policy, log an error or ask another host.
const check = () => expect(takeFaults()).toEqual([]);
afterEach(check);
// What a page did after the last test.
afterAll(check);
