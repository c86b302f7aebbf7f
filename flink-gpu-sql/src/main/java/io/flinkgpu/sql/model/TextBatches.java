package io.flinkgpu.sql.model;

import io.flinkgpu.backend.BackendFactory;
import io.flinkgpu.backend.OpenRequest;
import io.flinkgpu.backend.plan.RedactedBatch;

import java.util.concurrent.CompletableFuture;

/** Redacts rows of texts in batches. {@link #redact} may be called by any thread. */
final class TextBatches implements AutoCloseable {

    private final ModelBatches<byte[], byte[], RedactedBatch> batches;

    private TextBatches(ModelBatches<byte[], byte[], RedactedBatch> batches) {
        this.batches = batches;
    }

    /**
     * Opens a backend and waits until it is there. The caller closes what it gets.
     *
     * @param request its key is filled with zeros when the backend is closed
     */
    static TextBatches open(
            Redaction redaction, BackendFactory factory, OpenRequest request, String threadName)
            throws Exception {
        return new TextBatches(
                ModelBatches.open(
                        new RedactWork(redaction.rules()),
                        redaction.options().batchPolicy(),
                        factory,
                        request,
                        threadName));
    }

    /**
     * Redacts the texts of a row.
     *
     * @param texts of UTF-8, null for null; not to be changed from here on
     * @return texts likewise, or why they could not be redacted, with nothing of them
     */
    CompletableFuture<byte[][]> redact(byte[][] texts) {
        CompletableFuture<byte[][]> row =
                CompletableFuture.completedFuture(new byte[texts.length][]);
        for (int i = 0; i < texts.length; i++) {
            if (texts[i] != null) {
                int place = i;
                row =
                        row.thenCombine(
                                batches.ask(texts[i]),
                                (redacted, text) -> {
                                    redacted[place] = text;
                                    return redacted;
                                });
            }
        }
        return row;
    }

    @Override
    public void close() {
        batches.close();
    }
}
