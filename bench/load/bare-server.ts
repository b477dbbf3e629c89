/**
 * The baseline: Socket.IO alone, with no rules, no database and no order. A new member gets the list, the others get
 * one change; a 'tell' goes to everyone. With a room named, a member joins just that, and nobody is told.
 */
import { createServer } from 'node:http';
import { Server } from 'socket.io';

interface Joining {
  uid: string;
  name: string;
  online: boolean;
  room?: number;
}

const http = createServer();
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
const roster: Joining[] = [];

io.on('connection', (socket) => {
  let room = 'room';
  socket.on('join', (participant: Joining, ack: (list: unknown) => void) => {
    if (participant.room !== undefined) {
      room = String(participant.room);
      void socket.join(room);
      return ack([]);
    }
    roster.push(participant);
    io.to(room).emit('joined', participant);
    void socket.join(room);
    ack(roster);
  });
  socket.on('tell', (news: unknown, ack: () => void) => {
    io.to(room).emit('told', news);
    ack();
  });
});
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
