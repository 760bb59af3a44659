globalThis.lookAtPage = () => {
  // What a person would complain of in the page as it stands: each as one line, nothing when there is nothing.
  const complaints = [];
  const name = (e) => {
    const classes = [...e.classList].map((c) => `.${c}`).join('');
    return `${e.tagName.toLowerCase()}${e.id && `#${e.id}`}${classes} “${(e.textContent ?? '').trim().slice(0, 30)}”`;
  };
  const style = (e) => getComputedStyle(e);
  // For screen readers alone, or KaTeX's own: its struts overlap by design, and a formula's indices are small as in print.
  const apart = '.spoken, .said, .katex, [aria-hidden=true], sub, sup, svg *';
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const scrolls = (e) => ['auto', 'scroll'].includes(style(e).overflowX);
  const cuts = (e) => ['hidden', 'clip'].includes(style(e).overflowX);
  const spoken = (e) => style(e).clipPath !== 'none' || e.clientWidth <= 1;

  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) complaints.push(`the page is ${wide} px wider than its window`);
  for (const e of document.querySelectorAll('.content, #controls, .banners, .find')) {
    if (seen(e) && e.scrollWidth > e.clientWidth + 1)
      complaints.push(`${name(e)} scrolls sideways by ${e.scrollWidth - e.clientWidth} px`);
  }

  const small = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const e = text.parentElement;
    if (!e || !text.data.trim() || e.closest(apart) || !seen(e)) continue;
    const size = parseFloat(style(e).fontSize);
    if (size < 11) small.set(`${name(e)} is written in ${size} px`, true);
    clipped(e, text);
  }
  complaints.push(...small.keys());

  /** Text that its own box, or a box around it that does not scroll, cuts off. An ellipsis says so and may. */
  function clipped(e, text) {
    const range = document.createRange();
    range.selectNodeContents(text);
    let box = range.getBoundingClientRect();
    if (box.width === 0) return;
    // What scrolls may hold more than it shows, and must itself be seen; an ellipsis is drawn for lines alone, not for boxes.
    let inLine = true;
    for (let around = e; around && around !== document.documentElement; around = around.parentElement) {
      if (scrolls(around)) box = around.getBoundingClientRect();
      if (style(around).position === 'fixed') break;
      if (cuts(around) && !scrolls(around)) {
        if (spoken(around)) return;
        const edge = around.getBoundingClientRect();
        const over = Math.max(edge.left - box.left, box.right - edge.right);
        // Half a number is another number.
        const number = /\d[.,]\d/.test(text.data);
        if (style(around).textOverflow === 'ellipsis' && inLine && !number) return;
        if (over > 1) return void complaints.push(`${name(e)} is cut off by ${Math.round(over)} px by ${name(around)}`);
      }
      inLine &&= style(around).display === 'inline';
    }
    const over = Math.max(-box.left, box.right - innerWidth);
    if (over > 1) complaints.push(`${name(e)} sticks out of the window by ${Math.round(over)} px`);
  }

  // What is chosen stands in the toolkit's own tree.
  for (const e of document.querySelectorAll('vscode-dropdown')) {
    const chosen = e.shadowRoot?.querySelector('.selected-value');
    if (!chosen || !seen(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(e.querySelector('[slot=selected-value]') ?? chosen);
    const over = range.getBoundingClientRect().width - chosen.getBoundingClientRect().width;
    if (over > 1) complaints.push(`the choice “${chosen.textContent.trim()}” is cut off by ${Math.round(over)} px`);
  }

  // A button must be where it can be clicked: on the screen, and not under something else.
  const clickable =
    'button, [role=button], [role=radio], [role=menuitem], summary, input, select, vscode-button, vscode-dropdown';
  for (const e of document.querySelectorAll(clickable)) {
    const box = e.getBoundingClientRect();
    if (!seen(e) || box.width === 0 || e.closest('[aria-hidden=true]') || e.disabled || spoken(e)) continue;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const scroller = (function find(one) {
      return !one || scrolls(one) || style(one).overflowY === 'auto' ? one : find(one.parentElement);
    })(e.parentElement);
    const room = scroller?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    // A middle within 2 px of the edge is scrolled out for as much as a pointer is concerned.
    if (x < room.left || x > room.right || y < room.top + 2 || y > room.bottom - 2 || y > innerHeight) continue;
    const on = document.elementFromPoint(x, y);
    // What scrolls under the inspector at the foot comes out of it by scrolling: the inspector follows it in the page.
    const foot = on?.closest('.inspector-box');
    if (foot && !foot.contains(e) && style(foot).position === 'sticky') continue;
    if (
      on &&
      !e.contains(on) &&
      !on.contains(e) &&
      on !== e &&
      !on.closest('[role=menu], .token-tip, .find, .progress')
    )
      complaints.push(`${name(e)} lies under ${name(on)}`);
  }

  const content = document.querySelector('.content');
  if (content && seen(content) && content.clientHeight < 120)
    complaints.push(`only ${content.clientHeight} px are left for the step itself`);
  return [...new Set(complaints)];
};

/** Until nothing moves for eight frames: a resized page draws itself again over several. */
globalThis.pageSettles = async () => {
  const outline = () => {
    const { scrollHeight, scrollWidth } = document.querySelector('.content') ?? document.body;
    return [document.querySelectorAll('*').length, scrollHeight, scrollWidth, document.body.dataset.ready].join();
  };
  for (let still = 0, last = ''; still < 8; still = outline() === last ? still + 1 : 0) {
    last = outline();
    await new Promise((done) => requestAnimationFrame(done));
  }
};
