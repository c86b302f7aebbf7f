package io.flinkgpu.applications;

/**
 * Trains a model on made-up samples that are never scored, with the vectors as they are before they change. Whether a
 * sample is clicked depends on its numbers, on a product of two of them, and on vectors of two of its ids, and beyond
 * that on chance. The same samples give the same model.
 */
final class ClickTrainer {

    private static final float RATE = 0.01f;
    private static final double UNIT = 0x1p-53;
    private static final long CHANCE = 0x636c69636b6564L;

    private final ClickTables tables;
    private final Clicks clicks;
    private final float[] input;

    ClickTrainer(ClickTables tables) {
        this.tables = tables;
        clicks = new Clicks(tables, 0);
        input = new float[ClickTables.COUNT * tables.dimension() + Clicks.NUMBERS];
    }

    /**
     * Trains.
     *
     * @param first number of the first sample; all have numbers of their own below 0
     * @return the mean log loss of the samples, each before its step
     */
    double train(ClickModel model, long first, int samples) {
        double loss = 0;
        for (long number = first; number < first + samples; number++) {
            Click click = clicks.click(-1 - number, 0);
            loss += model.step(input(click), isClicked(click), RATE);
        }
        return loss / samples;
    }

    /** What the network reads: vectors, then numbers; the same array for the next sample. */
    float[] input(Click click) {
        int dimension = tables.dimension();
        for (int table = 0; table < ClickTables.COUNT; table++) {
            float[] vector = tables.vector(click.ids()[table], 0);
            System.arraycopy(vector, 0, input, table * dimension, dimension);
        }
        int numbers = ClickTables.COUNT * dimension;
        System.arraycopy(click.numbers(), 0, input, numbers, Clicks.NUMBERS);
        return input;
    }

    private boolean isClicked(Click click) {
        float[] numbers = click.numbers();
        double logit = 2 * numbers[0] - 2 * numbers[1] + 3 * numbers[2] * numbers[3] - 1;
        logit += 8 * (tables.vector(click.ids()[0], 0)[0] + tables.vector(click.ids()[1], 0)[0]);
        double chance = (SplitMix.mix(click.number() ^ CHANCE) >>> 11) * UNIT;
        return chance < 1 / (1 + StrictMath.exp(-logit));
    }
}
