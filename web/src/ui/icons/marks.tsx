/** Icons that the icon library does not have: solid player icons, the host's crown, the three message ticks. */
import type { ReactNode } from 'react';
import type { IconProps } from './icons.tsx';

function Solid({ size = 24, children }: IconProps & { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="currentColor" aria-hidden="true">
      {children}
    </svg>
  );
}

function Stroked({ size = 16, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function PlayIcon({ size = 26 }: IconProps) {
  return (
    <Solid size={size}>
      <path d="M7 5.1c0-1.2 1.3-1.9 2.3-1.3l10.7 6.9c.9.6.9 2 0 2.6L9.3 20.2C8.3 20.8 7 20.1 7 18.9z" />
    </Solid>
  );
}

export function PauseIcon({ size = 26 }: IconProps) {
  return (
    <Solid size={size}>
      <rect x="5.5" y="4" width="4.5" height="16" rx="1.2" />
      <rect x="14" y="4" width="4.5" height="16" rx="1.2" />
    </Solid>
  );
}

export function PreviousIcon({ size = 24 }: IconProps) {
  return (
    <Solid size={size}>
      <rect x="4.5" y="5" width="2.6" height="14" rx="1" />
      <path d="M19.5 6.2v11.6c0 1-1.1 1.5-1.9 1l-8.1-5.8c-.7-.5-.7-1.5 0-2l8.1-5.8c.8-.5 1.9 0 1.9 1z" />
    </Solid>
  );
}

export function NextIcon({ size = 24 }: IconProps) {
  return (
    <Solid size={size}>
      <rect x="16.9" y="5" width="2.6" height="14" rx="1" />
      <path d="M4.5 6.2v11.6c0 1 1.1 1.5 1.9 1l8.1-5.8c.7-.5.7-1.5 0-2L6.4 5.2c-.8-.5-1.9 0-1.9 1z" />
    </Solid>
  );
}

export function SendIcon({ size = 22 }: IconProps) {
  return (
    <Solid size={size}>
      <path
        data-forward
        d="M5.4 3.7 20.2 11c.8.4.8 1.6 0 2L5.4 20.3c-.8.4-1.6-.4-1.4-1.2l1.7-5.9 8.3-1.2-8.3-1.2L4 4.9c-.2-.8.6-1.6 1.4-1.2z"
      />
    </Solid>
  );
}

export function CrownIcon({ size = 16 }: IconProps) {
  return (
    <Solid size={size}>
      <path d="M3.5 8.3c0-.9 1-1.3 1.7-.7l3.1 2.9 2.9-5c.4-.6 1.2-.6 1.6 0l2.9 5 3.1-2.9c.7-.6 1.7-.2 1.7.7l-1.2 8.2H4.7z" />
      <rect x="4.7" y="18" width="14.6" height="2" rx="1" />
    </Solid>
  );
}

export function RemoteIcon({ size = 16 }: IconProps) {
  return (
    <Stroked size={size}>
      <rect x="8" y="2.5" width="8" height="19" rx="3" />
      <circle cx="12" cy="7.5" r="1.6" />
      <path d="M12 13v.01M12 17v.01" />
    </Stroked>
  );
}

export function ClockMark({ size = 13 }: IconProps) {
  return (
    <Stroked size={size}>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </Stroked>
  );
}

export function TickMark({ size = 14 }: IconProps) {
  return (
    <Stroked size={size}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Stroked>
  );
}

export function DoubleTickMark({ size = 16 }: IconProps) {
  return (
    <Stroked size={size}>
      <path d="M2.5 12.5 7 17l8.5-9M12 16l1 1 8.5-9" />
    </Stroked>
  );
}

export function WideIcon({ size = 20 }: IconProps) {
  return (
    <Stroked size={size}>
      <rect x="2.5" y="6.5" width="19" height="11" rx="1.5" />
      <path d="M8.5 10l-2 2 2 2M15.5 10l2 2-2 2" />
    </Stroked>
  );
}
