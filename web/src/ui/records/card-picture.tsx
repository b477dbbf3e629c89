/**
 * Square cards that are drawn on the page, to keep or share as a picture of 1080 x 1080: in the inks and the typeface of the
 * product. Nothing of them leaves the browser unless the user shares it.
 */
import { tileShapes } from '@tunemate/domain/tile-shapes';
import { useEffect, useRef } from 'react';
import { avatarInitial, avatarInk, type BandInk, bandHex } from '../inks.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';

export const cardSize = 1080;
const margin = 76;
const [ink, paper] = ['#1c110e', bandHex.paper];
const labelHex = { ...bandHex, sky: '#9cc3ea', lilac: '#d8a7e0', citron: '#e0d36a' } as const;

export interface Card {
  /** Names the file. */
  readonly id: string;
  /** What it says, in words. */
  readonly alt: string;
  readonly draw: (pen: Pen) => void;
}

interface TextLook {
  size: number;
  colour?: string;
  isWide?: boolean;
  /** At the other side of the line. */
  isAtEnd?: boolean;
  /** Up to so many lines, the last one cut. */
  lines?: number;
  width?: number;
}

export type Pen = ReturnType<typeof penOn>;

const penOn = (context: CanvasRenderingContext2D) => ({ ink, paper, ...wordsOn(context), ...shapesOn(context) });

function setType(context: CanvasRenderingContext2D, size: number, isWide: boolean): void {
  context.font = `700 ${String(size)}px 'Special Gothic Variable', sans-serif`;
  if ('fontStretch' in context) context.fontStretch = isWide ? 'expanded' : 'normal';
}

/** Of its size: smaller than this no text is drawn, and what does not fit then is cut. */
const leastShare = 0.45;

/** Words in lines that are as wide, where no word is wider. */
function wrapped(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

const cut = (lines: string[], most: number): string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1] ?? ''}…`];

function wordsOn(context: CanvasRenderingContext2D) {
  const isFromRight = document.documentElement.dir === 'rtl';
  return {
    /** Text whose last line stands on `y`; smaller where it would not fit, and only then cut. */
    text(words: string, y: number, look: TextLook): void {
      const { colour = ink, isWide = false, isAtEnd = false, lines: most = 1, width = cardSize - 2 * margin } = look;
      let { size } = look;
      setType(context, size, isWide);
      let lines = wrapped(context, words, width);
      const fits = (): boolean =>
        lines.length <= most && lines.every((line) => context.measureText(line).width <= width);
      while (size > Math.max(24, look.size * leastShare) && !fits()) {
        size -= 4;
        setType(context, size, isWide);
        lines = wrapped(context, words, width);
      }
      lines = cut(lines, most);
      context.fillStyle = colour;
      context.direction = isFromRight ? 'rtl' : 'ltr';
      context.textAlign = isAtEnd ? 'end' : 'start';
      const x = isFromRight === isAtEnd ? margin : cardSize - margin;
      lines.forEach((line, index) => context.fillText(line, x, y - (lines.length - 1 - index) * size * 1.06, width));
    },
  };
}

function disc(
  context: CanvasRenderingContext2D,
  { x, y, radius }: { x: number; y: number; radius: number },
  colour: string,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

function shapesOn(context: CanvasRenderingContext2D) {
  return {
    fill(colour: string, y = 0, height = cardSize): void {
      context.fillStyle = colour;
      context.fillRect(0, y, cardSize, height);
    },
    tiles(
      code: string,
      place: { y: number; columns: number; count: number; x?: number; size?: number },
      band: string,
    ): void {
      const size = place.size ?? cardSize / place.columns;
      const looks = [
        [ink, band],
        [band, ink],
        [paper, ink],
        [band, paper],
        [ink, paper],
        [paper, band],
      ] as const;
      for (let index = 0; index < place.count; index += 1) {
        const shape = tileShapes[(code[index % code.length] ?? '0').toUpperCase()];
        const [back, front] = looks[index % looks.length] ?? looks[0];
        context.save();
        context.translate(
          (place.x ?? 0) + (index % place.columns) * size,
          place.y + Math.floor(index / place.columns) * size,
        );
        context.fillStyle = back;
        context.fillRect(0, 0, size + 0.5, size + 0.5);
        context.scale(size / 24, size / 24);
        context.fillStyle = front;
        context.clip(new Path2D(shape), 'evenodd');
        context.fillRect(0, 0, 24, 24);
        context.restore();
      }
    },
    rings(x: number, y: number, colour: string): void {
      context.strokeStyle = colour;
      context.lineWidth = 2;
      for (let radius = 36; radius < 760; radius += 38) {
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.stroke();
      }
    },
    record(x: number, y: number, radius: number, label: { colour: string; text: string }): void {
      disc(context, { x, y, radius }, '#120a09');
      context.strokeStyle = '#2b1d19';
      context.lineWidth = 2;
      for (let groove = radius * 0.58; groove < radius; groove += 9) {
        context.beginPath();
        context.arc(x, y, groove, 0, 2 * Math.PI);
        context.stroke();
      }
      disc(context, { x, y, radius: radius * 0.54 }, label.colour);
      setType(context, radius * 0.4, true);
      context.fillStyle = ink;
      context.textAlign = 'center';
      context.fillText(label.text, x, y + radius * 0.14);
    },
    /** People as discs in a row. */
    people(all: readonly { uid: string; name: string }[], y: number, radius: number): void {
      all.forEach(({ uid, name }, index) => {
        const x = margin + radius + index * radius * 2.2;
        disc(context, { x, y, radius }, labelHex[avatarInk(uid)]);
        setType(context, radius, true);
        context.fillStyle = ink;
        context.textAlign = 'center';
        context.fillText(avatarInitial(name), x, y + radius * 0.36);
      });
    },
  };
}

async function drawOn(canvas: HTMLCanvasElement, card: Card): Promise<void> {
  canvas.width = cardSize;
  canvas.height = cardSize;
  // The words are drawn once: their typeface has to be there by then.
  await document.fonts.load("700 64px 'Special Gothic Variable'").catch(() => undefined);
  const context = canvas.getContext('2d');
  if (context) card.draw(penOn(context));
}

const canvasStyle = { display: 'block', width: '100%', aspectRatio: '1', borderRadius: 'var(--r-card)' };

/** The card as the page shows it. */
export function CardPicture({ card }: { card: Card }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) void drawOn(canvas.current, card);
  }, [card]);
  return (
    <div style={{ width: '100%' }}>
      <canvas ref={canvas} style={canvasStyle} aria-hidden="true" />
      <VisuallyHidden>{card.alt}</VisuallyHidden>
    </div>
  );
}

/** The card as a PNG file; null where the browser can't make one. */
export async function cardFile(card: Card): Promise<File | null> {
  const canvas = document.createElement('canvas');
  await drawOn(canvas, card);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return picture && new File([picture], `${card.id}.png`, { type: 'image/png' });
}

/** Whether this browser hands files to other apps. */
export const canShareFiles = (): boolean =>
  typeof navigator.canShare === 'function' &&
  navigator.canShare({ files: [new File([''], 'card.png', { type: 'image/png' })] });

export const bandOf = (band: BandInk): string => bandHex[band];
