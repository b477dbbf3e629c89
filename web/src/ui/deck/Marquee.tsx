/** A title on one line that travels once, and only when it does not fit: waits 2 s, passes in 16 s, rests.
   A pointer or the focus on it holds it still. */
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { keyboardScroll } from '../keyboard-scroll.ts';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Marquee.module.css';

/** The full text is always what screen readers get; they announce it when it changes, after the `caption`. */
export function Marquee({ text, caption }: { text: string; caption: string | null }) {
  return (
    <div className={styles.title} aria-live="polite" aria-atomic="true">
      {caption !== null && <VisuallyHidden>{`${caption}: `}</VisuallyHidden>}
      {/* Mounted again for another title, so that its width is measured and the animation starts from the beginning. */}
      <Line key={text} text={text} />
    </div>
  );
}

function Line({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLSpanElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const boxElement = box.current;
    const wordsElement = words.current;
    if (boxElement === null || wordsElement === null) return undefined;
    const measure = () => setOverflows(wordsElement.getBoundingClientRect().width > boxElement.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(boxElement);
    observer.observe(wordsElement);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={classNames('name', styles.marquee, overflows && styles.overflows)}
      {...(overflows && keyboardScroll)}
    >
      {/* What passes behind it is drawn by the style: another element would have it announced a second time. */}
      <span className={styles.line} data-again={text}>
        <span ref={words} dir="auto">
          {text}
        </span>
      </span>
    </div>
  );
}
