/**
 * YouTube's Data API v3 as a VideoSource: its calls (SEARCH-10 to SEARCH-13, SEARCH-22), and how answers are validated.
 */
import { imageHost, thumbnailOf } from '@tunemate/domain';
import { cleanTitle, limits, videoId, type VideoId } from '@tunemate/protocol';
import { z } from 'zod';
import { dataApiClient, type DataApiOptions } from './data-api-client.ts';
import { decodeEntities } from './html-entities.ts';
import { type FoundVideo, type VideoSource, VideoSourceFailure } from '../video-source.ts';

/** Music. */
const musicCategory = '10';

const snippet = z.object({
  title: z.string(),
  categoryId: z
    .string()
    .regex(/^\d{1,5}$/)
    .optional()
    .catch(undefined),
  thumbnails: z
    .object({ default: z.object({ url: z.string() }) })
    .optional()
    .catch(undefined),
});
const searchAnswer = z.object({ items: z.array(z.unknown()) });
const searchItem = z.object({ id: z.object({ videoId }), snippet });
const videoItem = z.object({ id: videoId, snippet });
/** Deleted and private videos have no pictures. */
const playlistItem = z.object({
  snippet: z.object({
    title: z.string(),
    thumbnails: z.object({ default: z.object({ url: z.string() }) }),
    resourceId: z.object({ videoId }),
  }),
});

/** Items that are no videos are skipped; an answer that contains only such items is invalid. */
function readItems<Item>(items: unknown[], schema: z.ZodType<Item>): Item[] {
  const read = items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
  if (items.length > 0 && read.length === 0) throw new VideoSourceFailure('badAnswer');
  return read;
}

function foundVideo(
  id: VideoId,
  { title, thumbnails }: Pick<z.infer<typeof snippet>, 'title' | 'thumbnails'>,
): FoundVideo {
  const url = thumbnails?.default.url ?? '';
  return {
    videoId: id,
    title: cleanTitle(decodeEntities(title), id),
    thumbnail: url.startsWith(`${imageHost}/`) && url.length <= 500 ? url : thumbnailOf(id),
  };
}

/** The service answers 404 for a playlist that does not exist or is private. */
function emptyWhenUnknown(error: unknown): { items: unknown[] } {
  if (error instanceof VideoSourceFailure && error.status === 404) return { items: [] };
  throw error;
}

export interface YouTubeSource extends VideoSource {
  close(): void;
}

export function youtubeSource(options: DataApiOptions): YouTubeSource {
  const client = dataApiClient(options);

  async function search(parameters: Record<string, string>): Promise<FoundVideo[]> {
    const answer = await client.get(
      'search',
      { part: 'snippet', type: 'video', maxResults: String(limits.searchResults), ...parameters },
      searchAnswer,
    );
    const found = readItems(answer.items, searchItem).slice(0, limits.searchResults);
    return found.map((item) => foundVideo(item.id.videoId, item.snippet));
  }

  return {
    searchVideos: (query) => search({ q: query }),
    searchAudio: (query) => search({ q: `${query} audio`, videoCategoryId: musicCategory }),
    async videosById(ids) {
      const { items } = await client.get('videos', { part: 'snippet', id: ids.join(',') }, searchAnswer);
      return readItems(items, videoItem).map((item) => ({
        ...foundVideo(item.id, item.snippet),
        categoryId: item.snippet.categoryId ?? musicCategory,
      }));
    },
    async playlist(playlistId) {
      const parameters = { part: 'snippet', maxResults: String(limits.playlistItems), playlistId };
      const { items } = await client.get('playlistItems', parameters, searchAnswer).catch(emptyWhenUnknown);
      return items.flatMap((item) => {
        const parsed = playlistItem.safeParse(item);
        return parsed.success ? [foundVideo(parsed.data.snippet.resourceId.videoId, parsed.data.snippet)] : [];
      });
    },
    relatedTo: ({ title, categoryId }) =>
      search({
        q: title.split(/\s+/u).slice(0, 3).join(' '),
        videoCategoryId: categoryId,
        relevanceLanguage: 'en',
      }),
    close: () => client.close(),
  };
}
