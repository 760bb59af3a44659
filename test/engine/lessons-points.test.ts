// Points, answers that are partly right, several right statements, and texts that a person marks.
import assert from 'node:assert/strict';
import { gradeClass, handedOut, readLesson, reportCsv, reportHtml, resultsOf, showAnswer, variantOf, writeResults, type ClassReport, type StudentResponse } from '../../engine/index'; // prettier-ignore
import { answered, asking, lessonFrom, marked, only, problemsIn } from './lessons-support';

const claim = (holds: boolean): object => ({ is: 'shape', step: 'scores', shape: [3, 3], holds });
/** Statements 0, 2 and 3 of five are true. */
const options = [true, false, true, true, false].map((holds, i) => ({ text: `Statement ${i}`, claim: claim(holds) }));
const several = (more: object = {}): string =>
  asking({ kind: 'choose', prompt: 'Which?', several: true, options, ...more });
const credit = (source: string, response: StudentResponse): readonly [string, number] => {
  const lesson = lessonFrom(source);
  const { verdict, points } = marked(only(lesson), lesson, response);
  return [verdict, Number(points.toFixed(4))];
};

describe('a question with several right statements', () => {
  it('earns the share of the true ones that were chosen, less the false ones', () => {
    for (const [given, verdict, points] of [
      [[0, 2, 3], 'right', 1],
      [[3, 0, 2], 'right', 1],
      [[0, 2], 'partial', 0.6667],
      [[0, 2, 3, 1], 'partial', 0.6667],
      [[0, 1], 'wrong', 0],
      [[0, 1, 2, 3, 4], 'partial', 0.3333],
      [[1, 4], 'wrong', 0],
      [[], 'unanswered', 0],
      [[0, 0], 'unreadable', 0],
      [[7], 'unreadable', 0],
      [['a'], 'unreadable', 0],
      [0, 'unreadable', 0],
    ] as const)
      assert.deepEqual(credit(several(), given), [verdict, points], JSON.stringify(given));
  });

  it('earns all or nothing where parts do not count', () => {
    assert.deepEqual(credit(several({ partial: false }), [0, 2]), ['wrong', 0]);
    assert.deepEqual(credit(several({ partial: false }), [0, 2, 3]), ['right', 1]);
    const order = { kind: 'order-steps', prompt: 'Order?', steps: ['scores', 'scaled', 'weights'] };
    assert.deepEqual(credit(asking(order), ['weights', 'scores', 'scaled']), ['partial', 0.5]);
    assert.deepEqual(credit(asking({ ...order, partial: false }), ['weights', 'scores', 'scaled']), ['wrong', 0]);
  });

  it('says its answer by numbers and words, and says nothing of it to who is wrong', () => {
    const lesson = lessonFrom(several());
    assert.equal(showAnswer(answered(only(lesson), lesson)), '1: Statement 0; 3: Statement 2; 4: Statement 3');
    const mark = marked(only(lesson), lesson, [1]) as { feedback?: string };
    assert.equal(mark.feedback, '2 was given: not every true statement, or a false one too.');
  });

  it('needs one that is true, and has as many in every variant', () => {
    const none = asking({ kind: 'choose', prompt: '?', several: true, options: options.filter((_, i) => i % 3 === 1) });
    assert.match(problemsIn(none).join(), /none of the 2 statements is true/);
    const lesson = lessonFrom(several());
    for (const seed of [1, 2, 3]) {
      const variant = variantOf(lesson, seed);
      assert.ok(variant.ok);
      const answer = answered(only(variant.value), variant.value);
      assert.ok(answer.kind === 'several');
      const words = answer.indices.map((i) => answer.options[i]).sort();
      assert.deepEqual(words, ['Statement 0', 'Statement 2', 'Statement 3']);
    }
  });
});

const text = { id: 'why', kind: 'text', prompt: 'Why is it divided?', lines: 6 };
const number = { id: 'score', kind: 'number', prompt: 'Score?', points: 2.5, of: { step: 'scores', cell: [0, 0] } };
const source = `${asking(number)}\n\`\`\`attention-question\n${JSON.stringify(text)}\n\`\`\`\n`;

function graded(answers: readonly { question: string; response: StudentResponse }[]): ClassReport {
  const results = resultsOf(lessonFrom(source), { student: 'Ada', seed: null, program: '0', complete: true, answers: answers.map((a) => ({ ...a, attempts: 1, minutes: 1 })) });
  const report = gradeClass(source, [{ name: 'Ada.results.json', text: writeResults(results) }]);
  assert.ok(report.ok, JSON.stringify(report));
  return report.value;
} // prettier-ignore

describe('points', () => {
  it('are those of each question, and a text has none and is collected as it was written', () => {
    const said = '=1+1\n<b>Because</b> of, "d_k"; ';
    const report = graded([{ question: 'score', response: 1 }, { question: 'why', response: said }]); // prettier-ignore
    const [ada] = report.students;
    assert.deepEqual(
      [ada?.points, report.most, ada?.answers.map((a) => a.mark.verdict)],
      [2.5, 2.5, ['right', 'collected']],
    );
    assert.deepEqual(report.questions.map((q) => [q.right, q.collected]), [[1, 0], [0, 1]]); // prettier-ignore
    const csv = reportCsv(report);
    assert.ok(csv.includes(`"'=1+1\n<b>Because</b> of, ""d_k""; "`), csv);
    const html = reportHtml(report);
    assert.ok(html.includes('&#60;b&#62;Because&#60;/b&#62;') && !html.includes('<b>Because'));
    assert.match(html, /for a person to mark/);
    assert.deepEqual(graded([{ question: 'why', response: '  ' }]).students[0]?.answers.map((a) => a.mark.verdict), ['unanswered', 'unanswered']); // prettier-ignore
    assert.deepEqual(
      graded([{ question: 'why', response: 3 }]).students[0]?.answers.at(-1)?.mark.verdict,
      'unreadable',
    );
  });

  it('are above zero, stand at no text, and parts only where there are any', () => {
    for (const wrong of [
      { ...number, points: 0 },
      { ...number, points: '2' },
      { ...text, points: 1 },
      { ...number, partial: true },
    ])
      assert.equal(problemsIn(asking(wrong)).length, 1, JSON.stringify(wrong));
    assert.equal(readLesson(handedOut(source)).lesson.questions[0]?.points, 2.5);
  });
});
