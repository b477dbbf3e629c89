/** The three pages of two people's music, which lead to one another. */
export { BlendScreen } from './BlendScreen.tsx';
export { OurMusicScreen } from './OurMusicScreen.tsx';
export { YearScreen } from './YearScreen.tsx';
