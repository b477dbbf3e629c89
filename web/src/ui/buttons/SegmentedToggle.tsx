/** Two or three segments of which exactly one is pressed. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './SegmentedToggle.module.css';

/** One segment; `label` is its visible text, `name` a longer accessible name where the label is not enough. */
export interface Segment<Value extends string> {
  value: Value;
  label: string;
  name?: string | undefined;
  icon?: ReactNode;
}

/**
 * `iconsWhenNarrow` hides the words in a deck below 480 px (they stay the accessible names); `block` fills the width.
 */
export interface SegmentedToggleProps<Value extends string> {
  label: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  iconsWhenNarrow?: boolean | undefined;
  block?: boolean | undefined;
}

/** A named group of toggle buttons. */
export function SegmentedToggle<Value extends string>(props: SegmentedToggleProps<Value>) {
  const { label, segments, value, onChange, iconsWhenNarrow, block } = props;
  return (
    <fieldset className={classNames(styles.toggle, iconsWhenNarrow && styles.icons, block && styles.block)}>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          aria-label={segment.name ?? segment.label}
          className={styles.segment}
          onClick={() => onChange(segment.value)}
        >
          {segment.icon}
          <span className={styles.word}>{segment.label}</span>
        </button>
      ))}
    </fieldset>
  );
}
