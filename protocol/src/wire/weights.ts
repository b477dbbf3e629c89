/** How much of something there may be so that no answer is too long to be sent. The server holds it; pages need no number. */
export const weights = {
  /** Of the longest answer over the socket, a room with all that it may hold: a slow page is sent it in peace. */
  longestAnswerBytes: 768 * 1024,
  /** Of the tracks of a queue, live or saved, as JSON: far more than 200 videos have, and about half of what links may have. */
  queueBytes: 256 * 1024,
  /** People with whom a saved queue is shared. */
  queueShares: 50,
} as const;
