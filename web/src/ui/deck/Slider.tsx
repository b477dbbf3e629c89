/** A small slider for a setting, in the looks of the seek bar. The caller handles the value. */
import type { KeyboardEvent } from 'react';
import styles from './SeekBar.module.css';

/** `valueText` is what screen readers say for the value, such as `40 %`. */
export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** How far the Page keys go; the browser's way where it is left out. */
  pageStep?: number | undefined;
  valueText: string;
  onChange: (value: number) => void;
}

/** A range input, 44 px high to the touch. */
export function Slider({ label, value, min, max, step, pageStep, valueText, onChange }: SliderProps) {
  function turnPage(event: KeyboardEvent): void {
    const direction = { PageUp: 1, PageDown: -1 }[event.key];
    if (pageStep === undefined || direction === undefined) return;
    event.preventDefault();
    onChange(Math.min(max, Math.max(min, value + direction * pageStep)));
  }

  return (
    <input
      type="range"
      className={styles.range}
      style={{ '--played': (value - min) / (max - min) }}
      min={min}
      max={max}
      step={step}
      value={value}
      aria-label={label}
      aria-valuetext={valueText}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      onKeyDown={turnPage}
    />
  );
}
