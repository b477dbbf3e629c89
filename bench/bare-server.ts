/**
 * The baseline: Socket.IO alone, with no rules, no database and no order. A new member gets the list, the others get
 * one change; a 'tell' goes to everyone.
 */
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
const roster: { uid: string; name: string; online: boolean }[] = [];

io.on('connection', (socket) => {
  socket.on('join', (participant: { uid: string; name: string; online: boolean }, ack: (list: unknown) => void) => {
    roster.push(participant);
    io.to('room').emit('joined', participant);
    void socket.join('room');
    ack(roster);
  });
  socket.on('tell', (news: unknown, ack: () => void) => {
    io.to('room').emit('told', news);
    ack();
  });
});
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
