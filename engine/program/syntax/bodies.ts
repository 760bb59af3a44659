import type { Handler, MatchCase, Statement } from './tree';

interface Parts {
  readonly body?: readonly Statement[];
  readonly handlers?: readonly Handler[];
  readonly orelse?: readonly Statement[];
  readonly finalbody?: readonly Statement[];
  readonly cases?: readonly MatchCase[];
}

/** The bodies of a compound statement, as they stand in the text. */
export function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  const { body = [], handlers = [], orelse = [], finalbody = [], cases = [] } = statement as Parts;
  const inner = [...handlers, ...cases].map((one) => one.body);
  return [body, ...inner, orelse, finalbody].filter((one) => one.length > 0);
}
