package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.backend.cuda.device.LaunchConfig;
import io.flinkgpu.program.Pass;

/**
 * How a pass is cut into tiles and what a block keeps in shared memory; offsets as in the {@code
 * transform_args} struct.
 *
 * <p>As many rows a thread as fit a share of shared memory that lets a multiprocessor run enough
 * blocks: a step is decoded once for all of them. Rows that are too long for that get smaller tiles, and
 * in the end tiles without a window.
 */
final class TransformShape {

    /** What a block may take so that enough of them run at once. */
    private static final int GOOD_BYTES = 36 << 10;

    /** What every device gives to a block that does not ask for more, less the kernel's own. */
    private static final int MAX_BYTES = (48 << 10) - 256;

    private static final int MIN_THREADS = 32;
    private static final int MAX_ROWS =
            TransformAbi.TRANSFORM_THREADS << TransformAbi.TRANSFORM_ITEM_SHIFT;

    private static final int ALIGNMENT_BYTES = 16;

    /** Texts in a tile vary: room is an eighth, and this much, more than the average. */
    private static final int SLACK_BYTES = 128;

    /** Of a block. */
    final int threads;

    /** A thread has 1 shifted by it rows. */
    final int itemShift;

    final int windowBytes;
    final int stageBytes;
    final int numbers;
    final int nulls;
    final int conditions;
    final int outputs;
    final int columns;
    final int window;
    final int slots;
    final int stage;
    final int lengths;
    final int totalBytes;

    /**
     * The shape of a pass.
     *
     * @param batchRows rows of the batch
     * @param textBytes expected bytes a row of the texts that it reads
     * @param outputBytes expected bytes a row of the largest text that it writes
     */
    static TransformShape of(PassImage image, int batchRows, double textBytes, double outputBytes) {
        for (int limit : new int[] {GOOD_BYTES, MAX_BYTES}) {
            for (int rows = MAX_ROWS; rows >= MIN_THREADS; rows /= 2) {
                boolean several = rows > TransformAbi.TRANSFORM_THREADS;
                int itemShift = several ? TransformAbi.TRANSFORM_ITEM_SHIFT : 0;
                TransformShape shape =
                        of(image, rows >> itemShift, itemShift, batchRows, textBytes, outputBytes);
                if (image.fitsWindow() && shape.fits(limit)) {
                    return shape;
                }
            }
        }
        return withoutWindow(image);
    }

    /** The rows of a tile. */
    int tileRows() {
        return threads << itemShift;
    }

    LaunchConfig launch(int rows) {
        int tiles = (int) ((rows + (long) tileRows() - 1) / tileRows());
        return new LaunchConfig(tiles, threads, totalBytes);
    }

    /** A tile whose texts stay in device memory. */
    static TransformShape withoutWindow(PassImage image) {
        int threads = TransformAbi.TRANSFORM_THREADS;
        TransformShape shape = new TransformShape(image, threads, 0, 0, 0, 0);
        while (shape.totalBytes > MAX_BYTES && threads > MIN_THREADS) {
            threads /= 2;
            shape = new TransformShape(image, threads, 0, 0, 0, 0);
        }
        return shape;
    }

    private boolean fits(int limit) {
        return totalBytes <= limit && windowBytes <= TransformAbi.MAX_WINDOW_BYTES;
    }

    private static TransformShape of(
            PassImage image,
            int threads,
            int itemShift,
            int batchRows,
            double textBytes,
            double outputBytes) {
        int rows = Math.min(batchRows, threads << itemShift);
        int columns = image.columns().textColumns();
        long windowBytes = align(withSlack(textBytes, rows)) + 2L * ALIGNMENT_BYTES * columns;
        long stageBytes = align(withSlack(outputBytes, rows));
        // More than any limit, and still no overflow below.
        long most = 1 << 24;
        return new TransformShape(
                image,
                threads,
                itemShift,
                (int) Math.min(most, windowBytes),
                (int) Math.min(most, stageBytes),
                columns);
    }

    private TransformShape(
            PassImage image,
            int threads,
            int itemShift,
            int windowBytes,
            int stageBytes,
            int slotColumns) {
        this.threads = threads;
        this.itemShift = itemShift;
        this.windowBytes = windowBytes;
        this.stageBytes = stageBytes;
        Pass pass = image.pass();
        int rows = threads << itemShift;
        numbers = align(image.headBytes());
        nulls = numbers + 8 * rows * pass.numberRegisters();
        conditions = nulls + rows * pass.numberRegisters();
        outputs = conditions + rows * pass.conditionRegisters();
        columns = outputs + TransformAbi.OUTPUT_BYTES * pass.outputs().size();
        window = columns + TransformAbi.WINDOW_COLUMN_BYTES * slotColumns;
        slots = window + windowBytes + ALIGNMENT_BYTES;
        stage = slots + 4 * rows * (slotColumns + image.textRegisters());
        int endOfSlots = stage + stageBytes + TransformAbi.STAGE_SLACK_BYTES;
        lengths = window + 8 * rows * image.textRegisters();
        int endWithoutWindow = lengths + 4 * rows * image.textRegisters();
        totalBytes = Math.max(windowBytes == 0 ? 0 : endOfSlots, endWithoutWindow);
    }

    private static long withSlack(double bytesPerRow, int rows) {
        return (long) (bytesPerRow * rows * 9 / 8) + SLACK_BYTES;
    }

    private static int align(long bytes) {
        return (int) Math.min(1 << 28, bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
