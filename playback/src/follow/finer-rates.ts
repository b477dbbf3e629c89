/** A player with rates in steps that was found to take two steps near 1 as well: small drifts then need no strong burst. */
import type { PlayerCapabilities } from './player.ts';

const nearSteps = [0.95, 1.05] as const;

/** The rate to ask such a player for. */
export const nearRate = nearSteps[1];

export function withNearRates(capabilities: PlayerCapabilities): PlayerCapabilities {
  const { rateControl } = capabilities;
  if (rateControl.type !== 'steps') return capabilities;
  return { ...capabilities, rateControl: { type: 'steps', rates: [...rateControl.rates, ...nearSteps] } };
}
