package io.flinkgpu.applications;

import io.flinkgpu.api.Finding;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

class FindingReportTest {

    private static final Pattern SVG = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL);

    @TempDir Path directory;

    private static Finding finding(String rule, String file, long seconds) {
        return new Finding(rule, file, 7, 3, 5, "00ff", 0, null, 1000 * seconds);
    }

    private static FindingCounts counts() {
        FindingCounts counts = new FindingCounts();
        for (int i = 0; i < 10; i++) {
            counts.add(finding("card", "a.log", 100 + i / 5));
        }
        counts.add(finding("<b>\"x\"&", "b\n<i>.log", 103));
        return counts;
    }

    @Test
    void countsAreMergedAndReachTheClient() throws Exception {
        FindingCounts all = new FindingCounts();
        all.merge(counts());
        all.merge(counts());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(all.clone());
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            FindingCounts.Snapshot read = ((FindingCounts) in.readObject()).getLocalValue();
            assertThat(read.total()).isEqualTo(22);
            assertThat(read.count("card")).isEqualTo(20);
            assertThat(read.byCount()).containsExactly("card", "<b>\"x\"&");
            assertThat(read.times).containsEntry(100L, 10L).containsEntry(103L, 2L).hasSize(3);
            assertThat(read.samples).hasSize(5);
        }
    }

    @Test
    void timesGetCoarserAsThereAreMore() {
        FindingCounts counts = new FindingCounts();
        for (int i = 0; i < 10_000; i++) {
            counts.add(finding("card", "a.log", i));
        }
        assertThat(counts.getLocalValue().times).hasSizeLessThanOrEqualTo(3600);
        assertThat(counts.getLocalValue().total()).isEqualTo(10_000);
        assertThat(counts.getLocalValue().secondsPerTime).isEqualTo(4);
    }

    @Test
    void bothFilesAreWellFormedAndHoldNoMarkupOfNames() throws Exception {
        FindingReport report =
                new FindingReport(counts().getLocalValue(), 100, 1000, name -> name + "!");
        report.write(directory.resolve("r.json"));
        String json = Files.readString(directory.resolve("r.json"));
        String html = Files.readString(directory.resolve("r.html"));
        assertThat(json)
                .contains("\"findings\": 11")
                .contains("{\"rule\": \"card\", \"count\": 10, \"sources\": {\"a.log!\": 10}}")
                .contains("\"<b>\\\"x\\\"&\"")
                .contains("b\\u000a<i>.log!");
        assertThat(html)
                .contains("&lt;b&gt;&quot;x&quot;&amp;")
                .doesNotContain("<b>")
                .doesNotContain("<i>")
                .doesNotContain("<script")
                .doesNotContain("src=")
                .doesNotContain("href=");
        Matcher pictures = SVG.matcher(html);
        int count = 0;
        while (pictures.find()) {
            byte[] svg = pictures.group().getBytes(StandardCharsets.UTF_8);
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg));
            count++;
        }
        assertThat(count).isEqualTo(2);
    }

    @Test
    void nothingFoundIsSaid() {
        FindingReport report = new FindingReport(new FindingCounts.Snapshot(), 0, 0, name -> name);
        assertThat(new FindingPage(report).html()).contains("<p>None.</p>");
    }
}
