/**
 * Small SVG builders for flat printed shapes. Numbers are rounded, because frames are compared and compressed.
 */

/** A number for an attribute, to a twentieth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 20) / 20);
}

/** A filled rectangle. */
export function rect(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}" fill="${fill}"/>`;
}

/** A filled circle. */
export function disc(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(Math.max(0, radius))}" fill="${fill}"/>`;
}

/** A circle's line. */
export function ring(x: number, y: number, radius: number, stroke: string, width: number): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="none" stroke="${stroke}" stroke-width="${px(width)}"/>`;
}

/** A filled path. */
export function shape(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}" fill-rule="evenodd"/>`;
}

/** A path's line. */
export function stroke(d: string, colour: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${px(width)}"/>`;
}

/** Contents moved to (x, y), turned by `degrees` and scaled there. */
export function placed(x: number, y: number, degrees: number, scale: number, contents: string): string {
  return `<g transform="translate(${px(x)} ${px(y)}) rotate(${px(degrees)}) scale(${scale.toFixed(3)})">${contents}</g>`;
}

/** A whole picture. */
export function picture(width: number, height: number, contents: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${contents}</svg>`;
}

/** An open tape reel of radius 100 around (0, 0): three windows and a hub. */
export function reel(flange: string, window: string, hub: string): string {
  const windows = [0, 120, 240]
    .map(
      (degrees) =>
        `<g transform="rotate(${degrees})">${shape('M-26-84A88 88 0 0 1 26-84L13-40A42 42 0 0 0-13-40z', window)}</g>`,
    )
    .join('');
  const pins = [60, 180, 300]
    .map((degrees) => `<g transform="rotate(${degrees})">${rect(-4, -17, 8, 17, flange)}</g>`)
    .join('');
  return disc(0, 0, 100, flange) + windows + disc(0, 0, 24, hub) + pins + disc(0, 0, 7, flange);
}

/** A poppy's head of radius 10 around (0, 0). */
export function poppy(petals: string, heart: string): string {
  return disc(0, 0, 10, petals) + disc(0, 0, 3.6, heart);
}
