const arrayCalls = /(?:^|\.)(?:array|asarray|tensor|Tensor|FloatTensor|constant|matrix)$/;

/** Whether a text consists only of bracketed matrices, with names and the calls that make arrays of them. */
export function isData(text: string): boolean {
  const bare = text.replace(/#.*/g, '').replace(/"[^"\n]*"|'[^'\n]*'/g, '');
  let rest = bare;
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(/\[[^[\]()@*/]*\]/g, '')];
  if (rest === bare || !/^[\s\w.=,():-]*$/.test(rest)) return false;
  if (/\b(?:def|class|for|while|if|return|import|from|with|print|lambda)\b/.test(rest)) return false;
  return [...rest.matchAll(/([\w.]+)\s*\(/g)].every(([, name = '']) => arrayCalls.test(name));
}
