/** What a test of pictures sees of them: the words that are drawn, and the files that are kept. */
import { onTestFinished } from 'vitest';

/** Names that people give themselves, their rooms and their tracks to break out of a picture. */
export const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '\u0645\u0631\u064a\u0645 \u202egnp.exe',
  'W'.repeat(60),
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f3f3}\ufe0f\u200d\u{1f308}',
  '../../C:\\CON.png',
] as const;

interface Drawn {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Words as they are drawn from now on, with their edges in the picture. */
export function watchDrawn(): () => readonly Drawn[] {
  const drawn: Drawn[] = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function keepText(text, x, y, most) {
    const width = Math.min(this.measureText(text).width, most ?? Infinity);
    const isFromRight = this.direction === 'rtl';
    const isLeft = this.textAlign === 'center' ? null : (this.textAlign === 'start') !== isFromRight;
    const left = isLeft === null ? x - width / 2 : isLeft ? x : x - width;
    drawn.push({ text, left, right: left + width });
    if (most === undefined) fillText.call(this, text, x, y);
    else fillText.call(this, text, x, y, most);
  };
  onTestFinished(() => {
    CanvasRenderingContext2D.prototype.fillText = fillText;
  });
  return () => drawn;
}

/** The names of files that the page saves from now on; none is saved. */
export function watchSaved(): () => readonly string[] {
  const names: string[] = [];
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function keepName(this: HTMLAnchorElement) {
    names.push(this.download);
  };
  onTestFinished(() => {
    HTMLAnchorElement.prototype.click = click;
  });
  return () => names;
}
