/** The attacker's own process: starts and stops one kind of attack when sent. */
import { attackKinds, type Stop } from './attack-kinds.ts';
import type { AttackWorld } from './attack-world.ts';

export type Order = { type: 'start'; kind: string; world: AttackWorld } | { type: 'stop' };

let stop: Stop = () => Promise.resolve();
process.on('message', (order: Order) => {
  void obey(order).then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(`failed: ${String(error)}`),
  );
});

async function obey(order: Order): Promise<void> {
  if (order.type === 'stop') return await stop();
  const kind = attackKinds.find(({ name }) => name === order.kind);
  if (!kind) throw new Error(`no attack ${order.kind}`);
  stop = await kind.start(order.world);
}
