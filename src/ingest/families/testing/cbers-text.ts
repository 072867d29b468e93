const corner = (name: string, lat: number, lon: number) =>
  `<${name}><latitude>${lat}</latitude><longitude>${lon}</longitude></${name}>`;

/** Metadata of a band file of CBERS-4 MUX, path 90, row 84. */
export const cbersXml = `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<prdf xmlns="http://www.gisplan.com.br/xmlsat">
  <satellite><name>CBERS</name><number>4</number><instrument channel="1">MUX</instrument></satellite>
  <viewing><center>2017-05-28T09:01:17.927</center></viewing>
  <image>
    <processingTime>2017-06-10T12:55:41.980461</processingTime>
    <level>2</level>
    <timeStamp><center>2017-05-28T09:01:17.925443</center></timeStamp>
    <path>90</path>
    <row>84</row>
    <sunPosition><elevation>70.3079</elevation><sunAzimuth>66.2923</sunAzimuth></sunPosition>
    <imageData>
      ${corner('UL', 14.9, 23.6)}${corner('UR', 14.8, 24.7)}${corner('LR', 13.8, 24.6)}${corner('LL', 13.9, 23.5)}
    </imageData>
    <absoluteCalibrationCoefficient><band name="5">1.51123</band><band name="6">1.5762</band></absoluteCalibrationCoefficient>
  </image>
</prdf>`;
