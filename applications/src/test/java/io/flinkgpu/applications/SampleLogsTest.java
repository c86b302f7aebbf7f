package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class SampleLogsTest {

    @Test
    void checkDigitsOfPublishedExamples() {
        // The card number of ISO/IEC 7812-1 annex B and the IBAN of ISO 13616-1.
        assertThat(FakeSecrets.luhnDigit("7992739871")).isEqualTo(3);
        assertThat(FakeSecrets.mod97("WEST12345698765432" + "GB82")).isEqualTo(1);
    }

    @Test
    void cardsAndIbansAreWellFormed() {
        FakeSecrets secrets = new FakeSecrets(7);
        for (int i = 0; i < 1000; i++) {
            String card = secrets.card().replaceAll("[ -]", "");
            String body = card.substring(0, card.length() - 1);
            assertThat(card).endsWith(Integer.toString(FakeSecrets.luhnDigit(body)));
            String iban = secrets.iban().replace(" ", "");
            assertThat(FakeSecrets.mod97(iban.substring(4) + iban.substring(0, 4))).isEqualTo(1);
        }
    }

    @Test
    void sameSeedSameBytes(@TempDir Path folder) throws IOException {
        List<Path> first = write(folder.resolve("first"), 11);
        List<Path> second = write(folder.resolve("second"), 11);
        List<Path> other = write(folder.resolve("other"), 12);
        assertThat(first).hasSize(5);
        for (int i = 0; i < first.size(); i++) {
            assertThat(first.get(i)).hasSameBinaryContentAs(second.get(i));
            assertThat(Files.mismatch(first.get(i), other.get(i))).isNotNegative();
            assertThat(Files.size(first.get(i))).isBetween(100_000L, 110_000L);
        }
    }

    private static List<Path> write(Path folder, long seed) throws IOException {
        SampleLogs.write(Files.createDirectory(folder), 500_000, seed);
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
