/** Builds the web app in every language: a step of the container's build. */
import { buildWeb } from './web-build.mjs';

buildWeb(process.execPath);
