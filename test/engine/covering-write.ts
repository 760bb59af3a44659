// `npx tsx test/engine/covering-write.ts`: searches few specs in which every field stands beside every other, and writes them into test/fixtures.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchSpecs } from './covering-specs';

const { specs, apart } = searchSpecs();
const lines = specs.map(({ spec }) => JSON.stringify(spec));
writeFileSync(join(__dirname, '../fixtures/attention/covering.json'), `[\n${lines.join(',\n')}\n]\n`);
console.log(`${specs.length} specs; of ${apart.length} pairs there is none:\n${apart.join('\n')}`);
