/** The other baseline: ws alone. A request is `[id, name, value]` and its answer `[id]`; a 'tell' goes to everyone. */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

const http = createServer();
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
const rooms = new Map<number, Set<WebSocket>>();

server.on('connection', (socket) => {
  let room = new Set<WebSocket>();
  socket.on('message', (data: Buffer) => {
    const [id, name, value] = JSON.parse(data.toString()) as [number, string, { room?: number }];
    if (name === 'join') {
      room = rooms.get(value.room ?? 0) ?? new Set();
      rooms.set(value.room ?? 0, room.add(socket));
    }
    const told = name === 'tell' ? Buffer.from(JSON.stringify(['told', value])) : null;
    if (told) for (const each of room) each.send(told, { binary: false });
    socket.send(JSON.stringify([id]));
  });
  socket.on('close', () => room.delete(socket));
});
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
