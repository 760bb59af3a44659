globalThis.countView = () => {
  // What a reader meets without scrolling: things to operate (a radio group and the timeline, in which arrow keys choose, are one each), words, the foot of header and road.
  const seen = (e) => {
    if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = e.getBoundingClientRect();
    let [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)]; // prettier-ignore
    for (let around = e.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)]; // prettier-ignore
    }
    return right - left > 3 && bottom - top > 3;
  };
  const operated = 'button, a[href], input, select, textarea, summary, .timeline, vscode-button, vscode-dropdown, vscode-checkbox, vscode-text-field, [role=radiogroup], [role=slider], [role=grid]'; // prettier-ignore
  const inside = 'vscode-button, vscode-dropdown, vscode-text-field, button, [role=radiogroup], .timeline';
  const all = [...document.querySelectorAll(operated)].filter(
    (e) => seen(e) && !e.parentElement?.closest(inside) && !e.hasAttribute('disabled'),
  );
  let words = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement;
    if (!e || e.closest('svg, script, style, .spoken, .said, .katex-mathml, [role=gridcell]') || !seen(e)) continue;
    words += (text.data.match(/\p{L}[\p{L}\p{M}’'-]*/gu) ?? []).filter((word) => word.length > 1).length;
  }
  const foot = (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
  const content = document.querySelector('.opening');
  return {
    elements: all.length,
    words,
    road: Math.max(foot('.header'), foot('.timeline')),
    wider: content ? content.scrollWidth - content.clientWidth : 0,
  };
};
