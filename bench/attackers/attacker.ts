/** The attackers' own process: starts and stops one kind of attack when sent, and says how much was answered meanwhile. */
import { attackKinds } from './attack-kinds.ts';
import type { Attack, Stop } from './attack-world.ts';
import { counted } from './question-kinds.ts';

export type Order = { type: 'start'; kind: string; attack: Attack } | { type: 'stop' };

let stop: Stop = () => Promise.resolve();
process.on('message', (order: Order) => {
  void obey(order).then(
    () => process.send?.(`done ${String(counted.answers)}`),
    (error: unknown) => process.send?.(`failed: ${String(error)}`),
  );
});

async function obey(order: Order): Promise<void> {
  if (order.type === 'stop') return await stop();
  const kind = attackKinds.find(({ name }) => name === order.kind);
  if (!kind) throw new Error(`no attack ${order.kind}`);
  counted.answers = 0;
  stop = await kind.start(order.attack);
}
