/** How loud a recording is over its time, as bars; those that were played stand out. */
interface WaveformProps {
  /** From 0 to 100. */
  levels: readonly number[];
  /** The share that was played, from 0 to 1. */
  played: number;
  /** The colour of what was played. */
  ink?: string | undefined;
}

const [barPx, stepPx, highPx, leastPx] = [3, 5, 32, 4];

export function Waveform({ levels, played, ink = 'currentColor' }: WaveformProps) {
  const width = levels.length * stepPx - (stepPx - barPx);
  return (
    <svg
      viewBox={`0 0 ${String(width)} ${String(highPx)}`}
      preserveAspectRatio="none"
      width="100%"
      height={highPx}
      aria-hidden="true"
    >
      {levels.map((level, index) => {
        const high = Math.max(leastPx, (level / 100) * highPx);
        const isPlayed = (index + 0.5) / levels.length <= played;
        return (
          <rect
            key={index}
            x={index * stepPx}
            y={(highPx - high) / 2}
            width={barPx}
            height={high}
            rx={barPx / 2}
            fill={isPlayed ? ink : 'currentColor'}
            opacity={isPlayed ? 1 : 0.55}
          />
        );
      })}
    </svg>
  );
}
