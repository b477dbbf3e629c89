/* Every part in every state, on one page, in the order of the design's component sheet. */
import { Tile } from '../ui/records/Tile.tsx';
import { ButtonParts, FieldParts } from './ControlParts.tsx';
import { DeckParts, TalkParts } from './PlayParts.tsx';
import { NoticeParts } from './NoticeParts.tsx';
import { RecordParts, RowParts } from './RecordParts.tsx';
import styles from './gallery.module.css';

const INKS = ['persimmon', 'marigold', 'blush', 'celadon', 'paper', 'ink', 'sky', 'lilac', 'citron'];
const GROUNDS = ['ground', 'sheet', 'raise', 'lift', 'well', 'text', 'text-2', 'text-3', 'line-strong', 'ok', 'danger'];

/** The whole gallery. */
export function PartsPage() {
  return (
    <main className={styles.page}>
      <h1 className="poster">
        People are discs.
        <br />
        Rooms are sleeves.
      </h1>
      <Swatches title="Inks" names={INKS} />
      <Swatches title="Ground" names={GROUNDS} />
      <section>
        <h2>Sixteen tiles, one for each code character</h2>
        <div className={styles.glyphs}>
          {[...'0123456789ABCDEF'.matchAll(/./g)].map(([character]) => (
            <div key={character}>
              <Tile character={character} />
              {character}
            </div>
          ))}
        </div>
      </section>
      <section>
        <h2>Type: one family, three widths</h2>
        <div className={styles.box}>
          <p className="poster">Poster</p>
          <p className="name">Room name, wide</p>
          <p>Body, normal. Harbour session, from the second verse.</p>
          <p className="lead">Lead. Share this code. You approve everyone who asks to come in.</p>
          <p className="meta">Meta, narrow. 00:01:47 / 00:04:12</p>
          <p>
            <a className="link" href="#room">
              A link
            </a>
          </p>
        </div>
      </section>
      <ButtonParts />
      <FieldParts />
      <RecordParts />
      <RowParts />
      <TalkParts />
      <DeckParts />
      <NoticeParts />
    </main>
  );
}

function Swatches({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <div className={styles.swatches}>
        {names.map((name) => (
          <div key={name}>
            <i style={{ background: `var(--${name})` }} />
            {name}
          </div>
        ))}
      </div>
    </section>
  );
}
