/* eslint-disable @typescript-eslint/no-unused-expressions -- read as text: a function that a test runs in the page */
(same) => {
  const found = [];
  let depth = 0;
  const outside = (text, from) => {
    let [kept, open] = ['', from];
    for (const c of text) {
      if (c === '⟦') open += 1;
      else if (c === '⟧') open -= 1;
      else if (open === 0) kept += c;
    }
    depth = open;
    return kept;
  };
  const known = same.map((word) => word.toLowerCase());
  const strange = (text) => (text.match(/[a-zà-ɏ]{2,}/giu) ?? []).some((word) => !known.includes(word.toLowerCase()));
  const skipped = 'script, style, .katex, code, pre, [translate=no]';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const names = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const before = depth;
    if (node instanceof Text) {
      if (strange(outside(node.data, depth))) found.push(node.data);
      if (depth < 0) {
        found.push(`brackets of ${node.data}`);
        depth = 0;
      }
      continue;
    }
    for (const name of names) {
      const value = node.getAttribute(name);
      if (value !== null && strange(outside(value, 0))) found.push(`${name}: ${value}`);
    }
    depth = before;
  }
  if (depth !== 0) found.push(`brackets are open at the end: ${depth}`);
  return [...new Set(found)];
};
