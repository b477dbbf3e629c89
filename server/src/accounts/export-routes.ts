/**
 * The route of the data export: a file that is sent while it is read. The access table says who may have it.
 */
import { Readable } from 'node:stream';
import type { FastifyPluginCallback } from 'fastify';
import { createSlots } from '../access/slots.ts';
import { type AdmitFile, holdSlot } from '../http/routes.ts';
import type { ExportService } from './export-service.ts';

export interface ExportRoutesDeps {
  exports: ExportService;
  admitFile: AdmitFile;
}

/** `GET /api/accounts/export`. */
export function exportRoutes({ exports, admitFile }: ExportRoutesDeps): FastifyPluginCallback {
  return (http, _options, done) => {
    const { onRequest, callerOf } = admitFile('GET /api/accounts/export');
    const slots = createSlots({ perKey: 1 });
    http.route({
      method: 'GET',
      url: '/api/accounts/export',
      exposeHeadRoute: false,
      onRequest,
      handler: async (request, reply) => {
        const { session, address } = callerOf(request);
        holdSlot(slots, session.uid, reply);
        const file = Readable.from(await exports.begin(session, address), { objectMode: false });
        return reply
          .header('content-disposition', 'attachment; filename="tunemate-data.json"')
          .type('application/json; charset=utf-8')
          .send(file);
      },
    });
    done();
  };
}
