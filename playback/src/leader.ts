/** What the host's controlling tab makes of its own player. */
export type LeaderIntent =
  | { readonly type: 'hold'; readonly positionSeconds: number }
  | { readonly type: 'reanchor'; readonly positionSeconds: number }
  | { readonly type: 'track-ended' }
  | { readonly type: 'track-failed' };
