/** Draws the pictures of docs/benchmarks.md anew from the tables that are there; each bench does so after its run. */
import { drawPictures } from './report/write-page.ts';

drawPictures('heard');
drawPictures('load');
