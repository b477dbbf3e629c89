/**
 * Makes the component of one of lucide's drawings. Lucide's own reads many settings that this app gives to none, and
 * weighs 1 kB more; what it draws with the few that are given is the same (lucide-icons.test.ts).
 */
import { createElement, type SVGProps } from 'react';

type Part = readonly [tag: string, attributes: Readonly<Record<string, string>>];

export interface Drawing {
  readonly name: string;
  readonly node: readonly Part[];
  readonly aliases?: readonly string[];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly size?: number;
  readonly strokeWidth?: number;
  /** The lines of a larger drawing stay as thin. */
  readonly absoluteStrokeWidth?: boolean;
}

const side = 24;

function createIcon({ name, node, aliases = [] }: Drawing) {
  const classes = ['lucide', ...[name, ...aliases].map((one) => `lucide-${one}`)].join(' ');
  return function Icon({ size = side, strokeWidth = 2, absoluteStrokeWidth = false, ...rest }: IconProps) {
    const lines = {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size,
      height: size,
      viewBox: `0 0 ${String(side)} ${String(side)}`,
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: absoluteStrokeWidth ? (strokeWidth * side) / size : strokeWidth,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      className: classes,
    } as const;
    return createElement(
      'svg',
      { ...lines, ...rest },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
}

export { createIcon as default };
