/** An address as a QR code. */
import { encode } from 'uqr';
import styles from './Invite.module.css';

/** In modules; ISO/IEC 18004 requires four around the code. */
const quietZone = 4;

export function QrCode({ address, label }: { address: string; label: string }) {
  const { data, size } = encode(address, { ecc: 'M', border: quietZone });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} aria-label={label} shapeRendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  );
}
