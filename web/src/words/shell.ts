/** Texts around all screens, which every page loads. */
import { t } from '../language/t.ts';

export const shellWords = {
  backToHome: t`Back to Home`,
  offline: t`You are offline`,
  unreachableTitle: t`Can't reach the server`,
  /** A screen that was not opened before the connection was lost. */
  missingLead: t`This screen opens once you are connected again.`,
  /** The server answered that it is busy or that a rate limit was reached. */
  notOpenedTitle: t`Not opened yet`,
  tryAgain: t`Try Again`,
  /** The browser does not take code that the server has. */
  stuck: t`A part of this page is missing. Reload it.`,
  reload: t`Reload`,
  notFoundTitle: t`Nothing plays here`,
  mustBeLoggedIn: t`You must be logged in to access rooms`,
} as const;

/** Why the server can't be reached, by what answers in its place; null where nothing does. */
export const causes: Readonly<Record<'ours' | 'away' | 'another' | 'nothing', string | null>> = {
  // The server answers, and its WebSockets don't.
  ours: `${t`Something between you and the server blocks WebSockets.`} ${t`Try another network, or ask the person who runs this server.`}`,
  away: `${t`Tunemate is not running right now.`} ${t`This page goes on as soon as it is back.`}`,
  another: `${t`Something else answers in place of Tunemate.`} ${t`If this network wants you to sign in, do that. Then reload this page.`}`,
  nothing: null,
};

/** Why the page has to be loaded anew, by what answers for a part of it. */
export const reloadWords = { ours: t`There is a newer Tunemate. Reload this page.`, part: shellWords.stuck } as const;
