import { casesFor } from '#test/requests/cases/all.ts';
import { registerCases } from './suite.ts';

registerCases(casesFor('url'));
