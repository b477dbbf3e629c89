/** A small slider for a setting, in the looks of the seek bar. */
import type { KeyboardEvent } from 'react';
import styles from './SeekBar.module.css';

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The step of the Page keys; the browser's own where left out. */
  pageStep?: number | undefined;
  /** What screen readers read for the value, such as `40 %`. */
  valueText: string;
  onChange: (value: number) => void;
}

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
      dir="ltr"
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
