// What is said of every head of every capture in a folder: `npx tsx test/precision/captures.ts FOLDER` (test/reference/capture_real.py writes them).
// Their processes computed correctly, so an output that "differs" is a false alarm.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureIn, exactHead, finish, judgedWords, judgeHead, openTensorFile, readHead, sourceOfBytes } from '../../engine/index'; // prettier-ignore

async function main(folder: string): Promise<void> {
  const count = { agrees: 0, differs: 0, dropped: 0, unread: 0 };
  const files = readdirSync(folder).filter((name) => name.endsWith('.safetensors')).sort(); // prettier-ignore
  for (const name of files) {
    const file = await openTensorFile(sourceOfBytes(readFileSync(join(folder, name))), name);
    const capture = file.ok ? captureIn(file.value) : undefined;
    if (!file.ok || !capture?.ok) {
      count.unread++;
      console.log(`${name}: ${JSON.stringify(capture ?? file)}`);
      continue;
    }
    for (const [attention, about] of capture.value.attentions.entries())
      for (const input of about.batch.keys())
        for (const head of about.heads.keys()) {
          const read = await readHead(file.value, capture.value, { attention, input, head });
          if (!read.ok) {
            count.unread++;
            console.log(`${name} ${attention}/${input}/${head}: ${JSON.stringify(read)}`);
            continue;
          }
          const judged = finish(judgeHead(read.value, finish(exactHead(read.value))));
          count[judged.is]++;
          if (judged.is === 'differs')
            console.log(`${name} ${attention}/${input}/${head}: ${judgedWords(judged, read.value)}`);
        }
  }
  console.log(`${files.length} files: ${JSON.stringify(count)}`);
}

void main(process.argv[2] ?? '.');
