/**
 * What leads through a document in a saved page, in place of VS Code: it answers the bar's buttons as the host does, with the places that were saved. A
 * presenter's remote control sends Page Up and Page Down. It begins at the step that the page shows, else shows that of the first place, and nothing plays until the reader asks for it.
 */
export const alongScript = `
  const stops = JSON.parse(document.getElementById('saved-along').textContent);
  const paces = [['½×', 0.5], ['1×', 1], ['2×', 2]];
  let [pace, timer, ended] = [1, undefined, stops.length === 0];
  const own = stops.findIndex(({ step }) => step !== undefined && step === state.step);
  let at = Math.max(0, own);
  if (own < 0 && stops[0]?.step !== undefined) {
    const { cell, ...rest } = state;
    state = { ...rest, step: stops[0].step };
  }
  const show = (moved) => {
    const { says, excerpt, step } = stops[at] ?? {};
    const place = { at: at + 1, of: stops.length, says, excerpt, playing: timer !== undefined, pace: paces[pace][0] };
    window.postMessage(ended ? { type: 'along' } : { type: 'along', place }, '*');
    if (moved && !ended && step !== undefined) window.postMessage({ type: 'goTo', step }, '*');
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (at + 1 < stops.length) { at++; wait(); }
      show(true);
    }, (2500 + 50 * stops[at].says.length) / paces[pace][1]);
  };
  const lead = (act) => {
    if (ended) return;
    const before = at;
    if (act === 'next') at = Math.min(at + 1, stops.length - 1);
    if (act === 'previous') at = Math.max(at - 1, 0);
    if (act === 'faster') pace = (pace + 1) % paces.length;
    if (act === 'stop') ended = true;
    const playing = timer !== undefined;
    if (act === 'play' && !playing) wait();
    else if (act === 'play' || ended) { clearTimeout(timer); timer = undefined; }
    else if (playing) wait();
    show(at !== before);
  };
  addEventListener('keydown', (event) => {
    const act = { PageDown: 'next', PageUp: 'previous' }[event.key] ?? (event.altKey && event.key === 'End' ? 'stop' : undefined);
    if (ended || act === undefined || /^(?:INPUT|TEXTAREA|SELECT|VSCODE-TEXT-FIELD)$/.test(event.target.tagName ?? '')) return;
    event.preventDefault();
    lead(act);
  });
`;
