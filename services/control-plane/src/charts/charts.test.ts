import { openEmbedded } from '../shared/resource-api.fixture.js';
import { describeCharts } from './charts-contract.js';

describeCharts('on SQLite', openEmbedded);
