/** The poster's picture: the logo drawn large, with grooves. */
const grooves = [186, 170, 154, 138, 122, 106];

/** Decorative. Its size comes from `className`. */
export function MeetingRecords({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 600 400" className={className} aria-hidden="true">
      <clipPath id="meeting-left">
        <circle cx="200" cy="200" r="198" />
      </clipPath>
      <g fill="var(--ink)">
        <circle cx="200" cy="200" r="198" />
        <circle cx="400" cy="200" r="198" />
      </g>
      <g fill="none" stroke="var(--band)" strokeOpacity="0.3" strokeWidth="1.2">
        {grooves.map((radius) => (
          <g key={radius}>
            <circle cx="200" cy="200" r={radius} />
            <circle cx="400" cy="200" r={radius} />
          </g>
        ))}
      </g>
      <g clipPath="url(#meeting-left)">
        <circle cx="400" cy="200" r="198" fill="var(--paper)" />
        <g fill="none" stroke="var(--ink)" strokeOpacity="0.16" strokeWidth="1.2">
          {grooves.map((radius) => (
            <circle key={radius} cx="400" cy="200" r={radius} />
          ))}
        </g>
      </g>
      <circle cx="300" cy="200" r="15" fill="var(--ink)" />
    </svg>
  );
}
