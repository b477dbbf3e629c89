/** Saving a queue: where the answer alone is lost, a second press saves it once. */
import type { Payload, Result, Value } from '@tunemate/protocol';
import { attempts } from '../../connection/attempts.ts';
import type { Connection } from '../../connection/port.ts';
import { patience } from '../../connection/retry.ts';

type Asked = Omit<Payload<'queues/save'>, 'clientId'>;

export function queueSaving(connection: Connection): (asked: Asked) => Promise<Result<Value<'queues/save'>>> {
  const saving = attempts();
  return (asked) =>
    saving([asked], (clientId) => connection.requestUntilAnswered('queues/save', { ...asked, clientId }, patience()));
}
