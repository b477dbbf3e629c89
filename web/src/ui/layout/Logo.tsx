/** The logo: two records meeting. Decorative; the link or heading around it carries the name. */
export function Logo() {
  return (
    <svg viewBox="0 0 40 28" width={40} height={28} aria-hidden="true">
      <g fill="var(--ink)">
        <circle cx="14" cy="14" r="13" />
        <circle cx="26" cy="14" r="13" />
      </g>
      <path d="M20 2.47a13 13 0 0 1 0 23.06 13 13 0 0 1 0-23.06z" fill="var(--paper)" />
      <circle cx="20" cy="14" r="2" fill="var(--ink)" />
    </svg>
  );
}
