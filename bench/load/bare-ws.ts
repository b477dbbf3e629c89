/**
 * The baseline: ws alone, with no rules, no database and no order. A request is `[id, name, value]`, its answer `[id, null]`
 * or `[id, list]`. A new member gets the list, the others get one change; a 'tell' goes to everyone. With a room named, a
 * member joins just that, and nothing is broadcast.
 */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

const http = createServer();
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
const rooms = new Map<number, Set<WebSocket>>();
const roster: object[] = [];

server.on('connection', (socket) => {
  let room = new Set<WebSocket>();
  const toAll = (name: string, value: object): void => {
    const sent = Buffer.from(JSON.stringify([name, value]));
    for (const each of room) each.send(sent, { binary: false });
  };
  socket.on('message', (data: Buffer) => {
    const [id, name, value] = JSON.parse(data.toString()) as [number, string, { room?: number }];
    const isListed = name === 'join' && value.room === undefined;
    if (name === 'join') {
      room = rooms.get(value.room ?? -1) ?? new Set();
      rooms.set(value.room ?? -1, room);
      if (isListed) {
        roster.push(value);
        toAll('joined', value);
      }
      room.add(socket);
    }
    if (name === 'tell') toAll('sent', value);
    socket.send(JSON.stringify([id, isListed ? roster : null]));
  });
  socket.on('close', () => room.delete(socket));
});
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
