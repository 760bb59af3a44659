// The licences of what is bundled from others, found from what esbuild says it read: `THIRD-PARTY-NOTICES.txt` of the package.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const permission = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.
`;
const warranty = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
const mit = (copyright) => `MIT License\n\n${copyright}\n\n${permission}\n${warranty}`;

/** Packages of FAST carry no licence file; their package.json says MIT, and their repository whose. */
const withoutFile = (name) =>
  name.startsWith('@microsoft/fast-') ? mit('Copyright (c) Microsoft Corporation.') : undefined;

/** What is in the package, and in no package that is imported. */
const vocabularies = {
  name: 'Vocabularies of OpenAI (r50k_base, cl100k_base, o200k_base)',
  version: 'as tiktoken has them',
  license: 'MIT',
  text: mit('Copyright (c) 2022 OpenAI, Shantanu Jain'),
};
/**
 * The merges of r50k_base are those that came with GPT-2: github.com/openai/gpt-2, LICENSE. That of tiktoken (above) is the LICENSE of
 * github.com/openai/tiktoken, on its main branch.
 */
const gpt2 = {
  name: 'GPT-2 (the vocabulary r50k_base)',
  version: 'of 2019',
  license: 'Modified MIT',
  text: `Modified MIT License

Software Copyright (c) 2019 OpenAI

We don’t claim ownership of the content you create with GPT-2, so it is yours to do with as you please.
We only ask that you use GPT-2 responsibly and clearly indicate your content was created using GPT-2.

${permission}The above copyright notice and this permission notice need not be included
with content created by the Software.

${warranty}`,
};
/** Packages of which something is in ours though nothing is imported: the kernels have AssemblyScript's library, the vocabularies come by way of the other. */
const behind = [
  { source: /engine\/run\/backend\/wasm\/bytes\.ts$/, packages: ['assemblyscript'] },
  { source: /engine\/tokens\/encodings\.ts$/, packages: ['gpt-tokenizer'], notices: [vocabularies, gpt2] },
];

/** `node_modules/a/node_modules/@b/c/d.js` lies in `node_modules/a/node_modules/@b/c`; undefined for what is our own. */
export function packageOf(input) {
  const at = input.lastIndexOf('node_modules/');
  if (at < 0) return undefined;
  const [scope = '', name = ''] = input.slice(at + 'node_modules/'.length).split('/');
  return input.slice(0, at) + `node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}`;
}

const impliedBy = (inputs) => behind.filter(({ source }) => inputs.some((input) => source.test(input)));

/** Folders of the packages that inputs lie in, or have something of. */
function foldersOf(inputs) {
  const implied = impliedBy(inputs).flatMap(({ packages }) => packages.map((name) => `node_modules/${name}`));
  return [...new Set([...inputs.map(packageOf), ...implied].filter((folder) => folder !== undefined))];
}

/** The notices of all that was read: `inputs` are paths of esbuild's metafiles, relative to `root`. Throws where a package has no licence text. */
export function noticesOf(root, inputs) {
  const found = foldersOf(inputs).map((folder) => noticeOf(root, folder));
  const implied = impliedBy(inputs);
  const all = new Map(
    [...found, ...implied.flatMap(({ notices = [] }) => notices)].map((one) => [`${one.name} ${one.version}`, one]),
  );
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return `Explain Attention holds what others have written. Their names and licences:\n\n${sorted.map(section).join('\n')}`;
}

/**
 * What is bundled from others, as a bill of materials (CycloneDX 1.5, JSON): `sbom.cdx.json` of the package. It has no date and no serial number, so the
 * same sources give the same bytes.
 */
export function billOf(root, inputs) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const components = foldersOf(inputs).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const path = name.replace(/^@/, '%40');
    const purl = `pkg:npm/${path}@${version}`;
    return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ license: { id: license } }], purl };
  });
  const each = [...new Map(components.map((one) => [one.purl, one])).values()].sort((a, b) =>
    a.purl < b.purl ? -1 : 1,
  );
  const component = {
    type: 'application',
    'bom-ref': own.name,
    name: own.name,
    version: own.version,
    licenses: [{ license: { id: own.license } }],
  };
  const dependencies = [{ ref: own.name, dependsOn: each.map(({ purl }) => purl) }];
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components: each,
    dependencies,
  };
  return `${JSON.stringify(bill)}\n`;
}

const line = '-'.repeat(80);
const section = ({ name, version, license, text }) =>
  `${line}\n${name} ${version} (${license})\n${line}\n\n${text.trim()}\n`;

function noticeOf(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder))
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-][\w.-]+)?$/i.test(file))
    .sort();
  const text = files.length
    ? files.map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n')
    : withoutFile(name);
  if (text === undefined) throw new Error(`${folder} has no licence file: say in notices.mjs what its licence is`);
  return { name, version, license, text: text.replaceAll('\r\n', '\n') };
}
