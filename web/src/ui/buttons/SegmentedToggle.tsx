/** Two or three segments of which exactly one is pressed. */
import type { ReactNode } from 'react';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './SegmentedToggle.module.css';

interface Segment<Value extends string> {
  value: Value;
  name: string;
  icon: ReactNode;
}

interface SegmentedToggleProps<Value extends string> {
  label: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

export function SegmentedToggle<Value extends string>({
  label,
  segments,
  value,
  onChange,
}: SegmentedToggleProps<Value>) {
  return (
    <fieldset className={styles.toggle}>
      <legend>
        <VisuallyHidden>{label}</VisuallyHidden>
      </legend>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === value}
          aria-label={segment.name}
          className={styles.segment}
          onClick={() => onChange(segment.value)}
        >
          {segment.icon}
        </button>
      ))}
    </fieldset>
  );
}
