/** Tokens as columns: ids, starts and ends (UTF-16 offsets). An object for each token would cost more than finding it. */
export class Columns {
  count = 0;
  ids: Int32Array;
  starts: Int32Array;
  ends: Int32Array;

  constructor(room: number) {
    [this.ids, this.starts, this.ends] = [new Int32Array(room), new Int32Array(room), new Int32Array(room)];
  }

  add(id: number, start: number, end: number): void {
    if (this.count === this.ids.length) this.grow();
    this.ids[this.count] = id;
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }

  private grow(): void {
    const larger = (from: Int32Array): Int32Array => {
      const to = new Int32Array(2 * from.length);
      to.set(from);
      return to;
    };
    this.ids = larger(this.ids);
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
  }
}
